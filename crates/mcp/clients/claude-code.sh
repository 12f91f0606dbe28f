# In the project; `-s project` writes .mcp.json, for everybody who works on it.
claude mcp add -s project tribunal -- tribunal mcp
tribunal mcp --write-skills .claude/skills
