import { StackProcess } from '../../tests/testing/stack-process.fixture.js';
import { report, timeUntil } from './measured.js';

const SECOND_START_MS = 15_000;
/** Limit in apps/standalone/README.md. */
const STOP_MS = 10_000;

/** Measures the second start of the embedded stack, and its stop. */
export async function embedded(): Promise<void> {
  const stack = await StackProcess.create('bench-embedded');
  try {
    await stack.start();
    await stack.stop();
    const started = performance.now();
    await stack.start();
    report('the second start of the embedded stack', performance.now() - started, SECOND_START_MS);
    const stopped = stack.stop();
    report(
      'the embedded stack stops after SIGTERM',
      await timeUntil(() => !stack.isRunning()),
      STOP_MS,
    );
    await stopped;
  } finally {
    await stack.dispose();
  }
}
