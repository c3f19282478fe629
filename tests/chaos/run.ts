import type { StackFile } from '@bascule/composition';
import type { ChaosStack } from './support/chaos-stack.js';
import { Killer } from './kills/killer.js';
import type { TestPayment } from './payments/test-payment.js';
import { killsAtWork, killsTable } from './kills/kills-report.js';
import type { ChaosOptions } from './options.js';
import { Random } from './support/random.js';
import { claimsTable, sumsTable, table } from './report.js';
import { ChaosSession } from './chaos-session.js';

export interface ChaosEnvironment {
  stack: ChaosStack;
  file: StackFile;
  log(text: string): void;
}

/** Payments of one round; a long run consists of several rounds. */
const ROUND_PAYMENTS = 200;
const PROGRESS_MS = 5_000;
const STARTS_PER_SECOND = 4;
/** Share of the payments that starts ahead of the kills, so that every kill meets some. */
const HEAD_START = 0.15;

/**
 * Runs payments while processes are killed, then verifies every outcome.
 * @returns whether everything held
 */
export async function runChaos(
  surroundings: ChaosEnvironment,
  options: ChaosOptions,
): Promise<boolean> {
  const { stack, file, log: say } = surroundings;
  const random = new Random(options.seed);
  const session = await ChaosSession.open(stack, file, random.fork());
  try {
    const { workload, db, log } = session;
    const killer = new Killer({ stack, db, log, random: random.fork() });
    const started = Date.now();
    const seconds = () => Math.round((Date.now() - started) / 1_000);
    const progress = setInterval(() => {
      const ended = workload.payments.length - workload.open;
      say(
        `${String(seconds()).padStart(5)} s  payments ${ended} of ${workload.payments.length} ended, ` +
          `kills ${killer.kills.length} of ${options.kills}, missing ${killer.missing}`,
      );
    }, PROGRESS_MS);
    try {
      await runRounds(session, killer, options);
    } finally {
      clearInterval(progress);
    }
    say(`Ran for ${seconds()} s; waiting until nothing is left to do, then verifying …`);
    const verdict = await session.verify();
    const atWork = verdict.findings.claim(
      'at least every tenth kill interrupts a transaction or request',
    );
    atWork.checked = killer.kills.length;
    const hits = killsAtWork(killer.kills, log);
    if (hits < Math.floor(killer.kills.length / 10)) atWork.broken.push(`only ${hits}`);
    const back = verdict.findings.claim('every killed process is replaced and ready');
    for (const kill of killer.kills) back.holds(kill.service, kill.recoveredAfterMs !== null, kill);
    say(`\n${scenariosTable(session)}`);
    say(`\n${killsTable(killer.kills, log)}`);
    say(`\nrequests  ${[...log.outcomes].map(([what, times]) => `${what}: ${times}`).join(', ')}`);
    say(`\n${sumsTable(verdict, await session.tokens())}`);
    say(`\n${claimsTable(verdict)}`);
    return verdict.findings.hold;
  } finally {
    await session.close();
  }
}

async function runRounds(
  session: ChaosSession,
  killer: Killer,
  options: ChaosOptions,
): Promise<void> {
  const rounds = Math.max(1, Math.round(options.payments / ROUND_PAYMENTS));
  const share = (all: number, round: number) =>
    Math.floor((all * (round + 1)) / rounds) - Math.floor((all * round) / rounds);
  for (let round = 0; round < rounds; round += 1) {
    const kills = share(options.kills, round);
    const payments = share(options.payments, round);
    const before = killer.kills.length;
    let isKilling = kills > 0;
    const isNeeded = () => isKilling;
    // Payments last as long as kills do, however fast the machine is.
    const mayBegin = (begun: number) =>
      !isKilling || begun / payments < (killer.kills.length - before) / kills + HEAD_START;
    const killing = killer.run(kills).finally(() => (isKilling = false));
    const running = session.workload.run({
      payments,
      startsPerSecond: STARTS_PER_SECOND,
      mayStart: mayBegin,
      isNeeded,
    });
    await Promise.all([killing, running]);
  }
}

function scenariosTable({ workload }: ChaosSession): string {
  const kinds = [...new Set(workload.payments.map(({ scenario: kind }) => kind))];
  const rows = kinds.map((kind) => {
    const payments = workload.payments.filter((payment) => payment.scenario === kind);
    return [
      kind,
      String(payments.length),
      String(payments.filter(({ accepted }) => accepted !== null).length),
      [...new Set(payments.flatMap(({ expected }) => expected))].join(', '),
      ...durations(payments),
    ];
  });
  return table(['scenario', 'payments', 'accepted', 'expected', 'median', 'longest'], rows);
}

/** The median and the longest. */
function durations(payments: readonly TestPayment[]): string[] {
  const took = payments
    .map(({ startedAt: beganAt, endedAt }) => ((endedAt ?? Infinity) - beganAt) / 1_000)
    .sort((a, b) => a - b);
  return [took[Math.floor(took.length / 2)], took.at(-1)].map((s = 0) => `${s.toFixed(1)} s`);
}
