import NativeEnvironment from '../../jest/native/environment.mjs';

/** Switches to the mutant of this run: instrumented code reads Stryker's variable only while no mutant is set. */
export default class MutantEnvironment extends NativeEnvironment {
  async setup() {
    await super.setup();
    globalThis.__stryker__ ??= {};
    globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  }
}
