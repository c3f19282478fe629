// A process of its own, which tries one mutant after the other in a workspace of its own.
import { basename } from 'node:path';
import { compile, dependents, OPTIMIZED, PLAIN } from './compile.mjs';
import { CLOSEST } from './suites.mjs';
import { Workspace } from './workspace.mjs';

const workspace = new Workspace(process.argv[2]);

/** What became of a mutant: `refused` by the compiler, `killed` by a test, the `same` code as without it, or `survived`. */
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

// Whoever asks has gone.
process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message === 'prepare') {
    workspace.prepare();
    // Nothing would be known of mutants if the tests failed without one.
    const codes = compile(dependents('contracts/OneTimeWallet.sol'), undefined, PLAIN);
    process.send(workspace.passes(codes) ? 'ready' : 'failing');
  } else {
    process.send(outcomeOf(message));
  }
});
