import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { NORMAL } from './behaviour.js';
import type { Behaviour } from './behaviour.js';

/** How this process behaves until it is told otherwise; a new process is normal. */
@Injectable()
export class SolverBehaviourService {
  private current = NORMAL;

  constructor(
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
    private readonly context: ServiceContext,
  ) {}

  get now(): Behaviour {
    return this.current;
  }

  get isDown(): boolean {
    return this.current.mode === 'dead';
  }

  /** Whether it fills and claims. */
  get isWorking(): boolean {
    return !this.isDown && this.current.mode !== 'silent';
  }

  get delayMs(): number {
    return this.current.mode === 'slow' ? this.current.delayMs : 0;
  }

  set(behaviour: Behaviour): void {
    this.context.logger.warn({ behaviour }, 'told how to behave');
    this.current = behaviour;
  }

  /** A fill has been sent: the moment to die at, for a solver that was told to. */
  onFillSent(): void {
    if (!this.current.dieAfterFill) return;
    this.set({ ...NORMAL, mode: 'dead' });
    if (this.settings.exits) process.kill(process.pid, 'SIGKILL');
  }
}
