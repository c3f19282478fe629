import { withTimeout } from './with-timeout.js';

/** Shutdown phases in their order; steps of one phase stop together. */
const SHUTDOWN_PHASES = ['intake', 'work', 'relay', 'transport', 'database', 'telemetry'] as const;
export type ShutdownPhase = (typeof SHUTDOWN_PHASES)[number];

interface Step {
  phase: ShutdownPhase;
  name: string;
  stop: () => Promise<void>;
}

/** Minimum time for a phase when earlier ones have used up the deadline. */
const MINIMUM_PHASE_MS = 250;

/** Stops a service in order: intake, work in flight, relay, transport, database, telemetry. */
export class ShutdownSequence {
  private readonly steps: Step[] = [];
  private readonly controller = new AbortController();
  private running: Promise<void> | undefined;

  /** Aborted when the shutdown begins; long polls and waits end on it. */
  get stopping(): AbortSignal {
    return this.controller.signal;
  }

  add(phase: ShutdownPhase, name: string, stop: () => Promise<void>): void {
    this.steps.push({ phase, name, stop });
  }

  /** Runs all phases; a phase that misses the deadline is skipped and reported in the error. */
  run(deadlineMs: number): Promise<void> {
    this.running ??= this.stopAll(Date.now() + deadlineMs);
    return this.running;
  }

  private async stopAll(deadline: number): Promise<void> {
    this.controller.abort(new Error('shutting down'));
    const failures: Error[] = [];
    for (const phase of SHUTDOWN_PHASES) {
      const remaining = Math.max(deadline - Date.now(), MINIMUM_PHASE_MS);
      const steps = this.steps.filter((step) => step.phase === phase);
      await Promise.all(steps.map((step) => stopWithin(step, remaining, failures)));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly');
  }
}

async function stopWithin(step: Step, ms: number, failures: Error[]): Promise<void> {
  try {
    await withTimeout(ms, step.stop);
  } catch (error) {
    failures.push(new Error(`${step.phase}/${step.name}`, { cause: error }));
  }
}
