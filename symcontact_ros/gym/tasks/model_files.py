"""The folder of the model files of tasks."""

from pathlib import Path

MODELS = Path(__file__).resolve().parents[1] / 'models'
