import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@bascule/composition';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

const DEATH_DEADLINE_MS = 60_000;

/** Starts the stack so that it kills itself at a fault point, once armed. */
export class Fault {
  private readonly file: string;

  constructor(
    private readonly stack: StackProcess,
    private readonly point: string,
  ) {
    this.file = join(stack.directory, 'fault-point-armed');
  }

  startStack(): Promise<StackFile> {
    rmSync(this.file, { force: true });
    return this.stack.start({
      FAULT_POINTS_ARMED: '1',
      FAULT_POINT: this.point,
      FAULT_POINT_FROM: this.file,
    });
  }

  /** The fault for this point; the stack is restarted when it is not the one waiting for it. */
  async orRestartedFor(point: string): Promise<Fault> {
    if (this.point === point && this.stack.isRunning()) return this;
    await this.stack.stop('SIGKILL');
    const fault = new Fault(this.stack, point);
    await fault.startStack();
    return fault;
  }

  arm(): void {
    writeFileSync(this.file, '');
  }

  /** @throws Error when the process lives on, so that a point which is never reached is noticed */
  async strikes(): Promise<void> {
    const { signal } = await this.stack.exited(DEATH_DEADLINE_MS);
    if (signal !== 'SIGKILL') throw new Error(`ended by ${signal}:\n${this.stack.output}`);
  }
}
