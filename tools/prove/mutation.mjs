// Mutation testing: every small change of the contracts fails a test, or is argued in a list.
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { packageRoot } from '../../libs/solidity/scripts/forge.mjs';
import { root, say, untilEnded } from '../test/commands.mjs';
import { judge } from './mutation/judgement.mjs';
import { listMutants } from './mutation/mutants.mjs';
import { slitherPrograms } from './slither.mjs';

const STEP = 'mutation';
const folder = join(root, '.local/prove/mutation');
const argumentsFile = join(packageRoot, 'analysis/mutants.json');

/** Mutates all contracts, or the named ones. */
export async function proveByMutation(names = []) {
  const programs = slitherPrograms();
  const all = listMutants(programs);
  const contractOf = ({ file }) => basename(file, '.sol');
  const mutants =
    names.length === 0 ? all : all.filter((mutant) => names.includes(contractOf(mutant)));
  say(
    STEP,
    `${mutants.length} mutants of ${new Set(mutants.map(contractOf)).size} contracts and libraries`,
  );
  const outcomes = await tryAll(mutants);
  mkdirSync(folder, { recursive: true });
  const report = mutants.map(({ name }, index) => ({ name, outcome: outcomes[index] }));
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report, null, 2));
  return sayJudgement(report, new Set(mutants.map(({ file }) => basename(file))));
}

function sayJudgement(report, files) {
  const argued = JSON.parse(readFileSync(argumentsFile, 'utf8'));
  const { counts, open, stale, passed, failed } = judge(report, files, argued);
  for (const name of open) say(STEP, `✗ survives and is not argued: ${name}`);
  for (const name of stale) say(STEP, `✗ argued, but survives no more: ${name}`);
  say(
    STEP,
    `${report.length} mutants: ${counts.killed} killed, ${counts.argued} survive and are argued, ` +
      `${open.length} survive and are not, ${counts.same} compile to the same code, ` +
      `${counts.refused} do not compile`,
  );
  return { passed, failed };
}

async function tryAll(mutants) {
  const outcomes = new Array(mutants.length);
  const queue = mutants.map((mutant, index) => ({ mutant, index }));
  let done = 0;
  let survived = 0;
  const worker = async (_, number) => {
    const trial = startTrial(join(folder, String(number)));
    if ((await trial.ask('prepare')) !== 'ready')
      throw new Error('the tests fail without any mutant');
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await trial.ask(next.mutant);
      outcomes[next.index] = outcome;
      done++;
      if (outcome === 'survived') {
        survived++;
        say(STEP, `survives: ${next.mutant.name}`);
      }
      if (done % 25 === 0) say(STEP, `${done} of ${mutants.length} tried, ${survived} survive`);
    }
    trial.end();
  };
  const workers = Math.min(availableParallelism(), mutants.length);
  await Promise.all(Array.from({ length: workers }, worker));
  return outcomes;
}

function startTrial(workspace) {
  const child = fork(join(import.meta.dirname, 'mutation/trial.mjs'), [workspace], {
    // A group of its own, so that its children can be ended with it.
    detached: true,
  });
  untilEnded(child);
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('a trial has ended before its answer'));
        child.once('exit', ended);
        child.once('message', (answer) => {
          child.off('exit', ended);
          resolve(answer);
        });
        child.send(message);
      }),
    end: () => child.disconnect(),
  };
}
