/**
 * Loaded before tap itself (`test-env` of .taprc), so that it registers no hooks for modules. They read every module of
 * a test once more, for coverage and for mocks, which are not used here: 60 ms of processor time in each process of
 * tests. `without-tap-hooks.ts` takes away the rest.
 */
import module from "node:module";

module.registerHooks = () => ({ deregister: () => undefined });
