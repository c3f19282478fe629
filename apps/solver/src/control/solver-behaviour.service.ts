import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { SOLVER_CONFIG } from '../solver.config.js';
import type { SolverConfig } from '../solver.config.js';
import { NORMAL } from './behaviour.js';
import type { Behaviour } from './behaviour.js';

/** How this process behaves until it is told otherwise; a new process is normal. */
@Injectable()
export class SolverBehaviour {
  private told = NORMAL;

  constructor(
    @Inject(SOLVER_CONFIG) private readonly config: SolverConfig,
    private readonly context: ServiceContext,
  ) {}

  get now(): Behaviour {
    return this.told;
  }

  get isDead(): boolean {
    return this.told.mode === 'dead';
  }

  /** Whether it fills and claims. */
  get isWorking(): boolean {
    return !this.isDead && this.told.mode !== 'silent';
  }

  get delayMs(): number {
    return this.told.mode === 'slow' ? this.told.delayMs : 0;
  }

  tell(behaviour: Behaviour): void {
    this.context.logger.warn({ behaviour }, 'told how to behave');
    this.told = behaviour;
  }

  /** A fill has been sent: the moment to die at, for a solver that was told to. */
  filled(): void {
    if (!this.told.dieAfterFill) return;
    this.tell({ ...NORMAL, mode: 'dead' });
    if (this.config.exits) process.kill(process.pid, 'SIGKILL');
  }
}
