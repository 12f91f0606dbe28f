//! The MCP server as clients meet it: a raw JSON-RPC script, and the SDK's own client.

mod breaks;
mod gates;
mod ground;
mod protocol;
mod raw;
mod refusals;
mod sdk;
