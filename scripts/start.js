/**
 * `npm start`. Plain JavaScript, because a Node that cannot run TypeScript shows a stack of its own before any line of
 * ours runs; here it names the Node that can. npm puts that one first in its path, unless it was not installed.
 */
const majorMin = 26;

if (Number.parseInt(process.versions.node, 10) < majorMin) {
  process.stderr.write(
    `Node ${process.versions.node} runs this, expected Node ${majorMin} or newer: npm ci installs it as ` +
      `node_modules/.bin/node\n`,
  );
  process.exit(1);
}
await import("../src/main.ts");
