import type { StackFile } from '@bascule/composition';
import type { ChaosStack } from './chaos-stack.js';
import { Killer } from './kills/killer.js';
import type { Play } from './payments/play.js';
import { killsAtWork, killsTable } from './kills/kills-report.js';
import type { ChaosOptions } from './options.js';
import { Random } from './random.js';
import { claimsTable, sumsTable, table } from './report.js';
import { Setting } from './setting.js';

export interface Surroundings {
  stack: ChaosStack;
  file: StackFile;
  say(text: string): void;
}

/** A round is as many payments as one short run has; a long run is several, one after the other. */
const ROUND_PAYMENTS = 200;
const PROGRESS_MS = 5_000;
const STARTS_PER_SECOND = 4;
/** This share of the payments is ahead of the kills, so that every kill meets some. */
const AHEAD = 0.15;

/**
 * Plays payments while processes are killed, and verifies what has come of them.
 * @returns whether everything held
 */
export async function runChaos(
  surroundings: Surroundings,
  options: ChaosOptions,
): Promise<boolean> {
  const { stack, file, say } = surroundings;
  const random = new Random(options.seed);
  const setting = await Setting.open(stack, file, random.fork());
  try {
    const { workload, db, log } = setting;
    const killer = new Killer({ stack, db, log, random: random.fork() });
    const started = Date.now();
    const seconds = () => Math.round((Date.now() - started) / 1_000);
    const progress = setInterval(() => {
      const ended = workload.plays.length - workload.open;
      say(
        `${String(seconds()).padStart(5)} s  payments ${ended} of ${workload.plays.length} ended, ` +
          `kills ${killer.kills.length} of ${options.kills}, missing ${killer.missing}`,
      );
    }, PROGRESS_MS);
    try {
      await playRounds(setting, killer, options);
    } finally {
      clearInterval(progress);
    }
    say(`Played for ${seconds()} s; waiting until nothing is left to do, then verifying …`);
    const verdict = await setting.verify();
    const atWork = verdict.findings.claim('kills hit processes at work, at least every tenth');
    atWork.checked = killer.kills.length;
    const hits = killsAtWork(killer.kills, log);
    if (hits < Math.floor(killer.kills.length / 10)) atWork.broken.push(`only ${hits}`);
    const back = verdict.findings.claim('what was killed is back and ready');
    for (const kill of killer.kills) back.holds(kill.service, kill.backAfterMs !== null, kill);
    say(`\n${kindsTable(setting)}`);
    say(`\n${killsTable(killer.kills, log)}`);
    say(`\nrequests  ${[...log.outcomes].map(([what, times]) => `${what}: ${times}`).join(', ')}`);
    say(`\n${sumsTable(verdict, await setting.tokens())}`);
    say(`\n${claimsTable(verdict)}`);
    return verdict.findings.hold;
  } finally {
    await setting.close();
  }
}

async function playRounds(setting: Setting, killer: Killer, options: ChaosOptions): Promise<void> {
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
      !isKilling || begun / payments < (killer.kills.length - before) / kills + AHEAD;
    const killing = killer.run(kills).finally(() => (isKilling = false));
    const playing = setting.workload.run({
      payments,
      startsPerSecond: STARTS_PER_SECOND,
      mayBegin,
      isNeeded,
    });
    await Promise.all([killing, playing]);
  }
}

function kindsTable({ workload }: Setting): string {
  const kinds = [...new Set(workload.plays.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const plays = workload.plays.filter((play) => play.kind === kind);
    return [
      kind,
      String(plays.length),
      String(plays.filter(({ accepted }) => accepted !== null).length),
      [...new Set(plays.flatMap(({ expected }) => expected))].join(', '),
      ...tookSeconds(plays),
    ];
  });
  return table(['payments', 'played', 'accepted', 'have to be', 'took', 'at most'], rows);
}

/** The median and the longest. */
function tookSeconds(plays: readonly Play[]): string[] {
  const took = plays
    .map(({ beganAt, endedAt }) => ((endedAt ?? Infinity) - beganAt) / 1_000)
    .sort((a, b) => a - b);
  return [took[Math.floor(took.length / 2)], took.at(-1)].map((s = 0) => `${s.toFixed(1)} s`);
}
