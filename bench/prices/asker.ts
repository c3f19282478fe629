// Sends requests at a steady rate, from a process of its own. Its young generation is small, so that each collection of
// garbage takes little time from the measured services.
import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { serveParent } from '../lib/worker.js';

const CONNECTIONS = 32;
/** Long enough that no connection is opened again, which would be measured too. */
const KEEP_ALIVE_MS = 60_000;

export interface Questions {
  count: number;
  perSecond: number;
  headers: Record<string, string>;
  /** Asked in turns. */
  bodies: string[];
}

/** Duration of each, in milliseconds, in ascending order. */
export interface Waits {
  waits: Float64Array;
}

interface Progress {
  answered: number;
  failure: Error | undefined;
}

/** Notes how long its request took. */
class TimedAnswer implements Dispatcher.DispatchHandler {
  private readonly asked = performance.now();
  private readonly place: number;
  private readonly waits: Float64Array;
  private readonly progress: Progress;

  constructor(place: number, waits: Float64Array, progress: Progress) {
    this.place = place;
    this.waits = waits;
    this.progress = progress;
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) this.progress.failure ??= new Error(`answered ${status}`);
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.waits[this.place] = performance.now() - this.asked;
    this.progress.answered += 1;
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.progress.failure ??= error;
  }
}

const client = new Pool(process.env['ASKED_URL'] ?? '', {
  connections: CONNECTIONS,
  keepAliveTimeout: KEEP_ALIVE_MS,
});

/** An open loop: what is slow is not asked less. */
async function ask({ count, perSecond, headers, bodies }: Questions): Promise<Waits> {
  const waits = new Float64Array(count);
  const progress: Progress = { answered: 0, failure: undefined };
  const requests = bodies.map((body): Dispatcher.DispatchOptions => ({
    method: 'POST',
    path: '/prices',
    headers,
    body,
  }));
  const started = performance.now();
  let sent = 0;
  while (progress.answered < count && progress.failure === undefined) {
    const due = Math.min(count, Math.ceil(((performance.now() - started) * perSecond) / 1_000));
    for (; sent < due; sent += 1) {
      const request = requests[sent % requests.length];
      if (request) client.dispatch(request, new TimedAnswer(sent, waits, progress));
    }
    await delay(1);
  }
  if (progress.failure !== undefined) throw progress.failure;
  return { waits: waits.sort() };
}

serveParent((message) => ask(message as Questions));
