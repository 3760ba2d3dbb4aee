"""How recordings, trajectories, layers and runs lie on disk: append-only, crash-safe, readable by a person.

    files         a file is replaced whole or not at all; folders in order
    names         a file name for whatever a task id contains
    lines         JSON lines, read with errors that name file and line
    append        JSON lines, added one synced line at a time
    locks         one writer at a time, and who it is
    pictures      where pictures come from: by content, a folder, an archive
    archives      pictures out of a zip in one piece or in volumes (volumes, zip_directory, zip_index)
    trajectories  one trajectory: a header line, a line a step, an end line
    layers        what is said about trajectories afterwards: verdicts, annotations, labels, edits
    packed        a dataset in one file, a trajectory a line
    runs          one agent on one benchmark: settings, tasks, keys, attempts
    recordings    what was captured of a person, with its video (recording_video)
    reading       trajectories from any of these, and where their pictures and layers lie

docs/on-disk.md describes the same for people who read the files in other languages.
"""
