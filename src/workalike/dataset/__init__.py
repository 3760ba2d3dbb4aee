"""AgentNet files at full size: read, validate, describe, choose from, and turn into training messages.

files           which files a user means, and their lines
sources         rows or trajectories of ours, read as either
wellformed      rows as they should be, recognised quickly
defects, leaks  everything that is wrong with a row, and what its texts give away
mending         the defects that have one right answer
cleaning        a set without what can be mended or cannot be used
picture_check   which pictures are missing or broken
tally, stats    counts of everything, which add up, and what they tell
survey          one pass over a set: defects and counts, in one process or several
expressions     filters, parsed and never executed
choosing        filter, split, merge, sample; dedupe in a module of its own
examples        training examples, and the recipe by which they are made
messages        examples in the words of a family, with the prompts of its agent; grounding: pairs of picture and place
benchtasks      trajectories as offline step tasks
export          the files trainers read (writers/), with their pictures (delivery) and a manifest
fetching        chosen parts from the hub
"""
