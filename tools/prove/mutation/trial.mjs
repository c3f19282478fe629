// Child process that tries mutants one after the other in its own workspace.
import { basename } from 'node:path';
import { compile, dependents, OPTIMIZED, PLAIN } from './compile.mjs';
import { CLOSEST } from './suites.mjs';
import { Workspace } from './workspace.mjs';

const workspace = new Workspace(process.argv[2]);

/** Outcome of a mutant: `refused` by the compiler, `killed` by a test, the `same` code as without it, or `survived`. */
function outcomeOf({ file, content }) {
  const replaced = { file, content };
  const contracts = dependents(file);
  const codes = compile(contracts, replaced, PLAIN);
  if (!codes) return 'refused';
  if (!workspace.passes(codes, CLOSEST[basename(file)]) || !workspace.passes(codes))
    return 'killed';
  const isSame = same(
    compile(contracts, replaced, OPTIMIZED),
    compile(contracts, undefined, OPTIMIZED),
  );
  return isSame ? 'same' : 'survived';
}

function same(codes, others) {
  return codes.every(({ bytecode }, index) => bytecode === others[index].bytecode);
}

// The parent has ended.
process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message === 'prepare') {
    workspace.prepare();
    // Results would be meaningless if the tests failed without a mutant.
    const codes = compile(dependents('contracts/OneTimeWallet.sol'), undefined, PLAIN);
    process.send(workspace.passes(codes) ? 'ready' : 'failing');
  } else {
    process.send(outcomeOf(message));
  }
});
