"""Talking to models: messages with pictures in, text or tool calls out, and what it took. Nothing here imports a
model SDK until a request is sent."""
