"""Where model files of tasks are."""

from pathlib import Path

MODELS = Path(__file__).resolve().parents[1] / 'models'
