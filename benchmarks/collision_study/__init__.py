"""Parts of `collision.py`: queries, our compiled loops, other libraries."""
