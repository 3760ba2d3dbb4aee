"""A model's service of our own: speaks the chat-completions, Responses and Anthropic APIs and answers with whatever
function it is given. The oracle, the tests and other people's harnesses plug in here."""
