# pi has no MCP client of its own. It calls the same machine by command line:
# each `tribunal loop start|review|simplify|status|stop` prints what is next.
tribunal mcp --write-skills .pi/skills
