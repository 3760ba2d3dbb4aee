"""The files trainers read. Each form is a module with `form(example, …)`, the record of one example; `lines.py` writes
them."""
