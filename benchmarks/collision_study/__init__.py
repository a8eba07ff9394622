"""Parts of `collision.py`: what is asked, how we answer, how others do."""
