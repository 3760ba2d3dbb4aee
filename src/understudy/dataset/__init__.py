"""AgentNet files at full size: read, validate, describe, choose from, and turn into training messages.

files        which files a user means, and their lines
wellformed   rows as they should be, recognised quickly
defects      everything that is wrong with a row
leaks        texts that tell what only the annotation could know
mending      the defects that have one right answer
tally        counts of everything, which add up
survey       one pass over a set: defects and counts, in one process or several
expressions  filters, parsed and never executed
choosing     filter, split, merge, dedupe, sample
messages     training messages out of trajectories
exports      the files that trainers read
fetching     chosen parts from the hub
"""
