export { type Layer, Router } from "@koa/router";
