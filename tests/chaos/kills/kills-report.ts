import type { RequestLog } from '../client/request-log.js';
import { table } from '../report.js';
import type { Kill } from './killer.js';

/** A request that breaks later than this was not broken by the kill. */
const ECHO_MS = 3_000;

/** Table of the work that kills interrupted, by service. */
export function killsTable(kills: readonly Kill[], log: RequestLog): string {
  const services = [...new Set(kills.map(({ service }) => service))].sort();
  const rows = services.map((service) =>
    row(
      service,
      kills.filter((k) => k.service === service),
      log,
    ),
  );
  const header = [
    'killed',
    'kills',
    'in a transaction',
    'in a handler',
    'with requests',
    'back after',
    'at most',
  ];
  return table(header, [...rows, row('all', kills, log)]);
}

function row(name: string, kills: readonly Kill[], log: RequestLog): string[] {
  const back = kills
    .map(({ recoveredAfterMs: backAfterMs }) => backAfterMs ?? Infinity)
    .sort((a, b) => a - b);
  const seconds = (ms = 0) => (ms === Infinity ? 'never' : `${(ms / 1_000).toFixed(1)} s`);
  return [
    name,
    String(kills.length),
    String(kills.filter(({ transactions }) => transactions > 0).length),
    String(kills.filter(({ handlers }) => handlers > 0).length),
    String(kills.filter((kill) => brokeRequests(kill, log)).length),
    seconds(back[Math.floor(back.length / 2)]),
    seconds(back.at(-1)),
  ];
}

const brokeRequests = ({ at, service }: Kill, log: RequestLog): boolean =>
  log.interruptions.some(
    (each) =>
      each.at >= at &&
      each.at < at + ECHO_MS &&
      (service === 'gateway' || service === each.service),
  );

/** Counts the kills that interrupted a transaction or a request. */
export const killsAtWork = (kills: readonly Kill[], log: RequestLog): number =>
  kills.filter((kill) => kill.transactions > 0 || brokeRequests(kill, log)).length;
