/**
 * `@koa/router` as CommonJS. Its ES module imports `node:http` as a namespace, for which Node loads its web client as well:
 * 40 ms of processor time at the start of each thread (55 instead of 17 ms; see connection/node-http.ts).
 */
module.exports = require("@koa/router");
