import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { NORMAL } from './behaviour.js';
import type { Behaviour } from './behaviour.js';

/** Current behaviour of this process; a new process is normal. */
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

  /** True while the solver fills and claims. */
  get isWorking(): boolean {
    return !this.isDown && this.current.mode !== 'silent';
  }

  get delayMs(): number {
    return this.current.mode === 'slow' ? this.current.delayMs : 0;
  }

  set(behaviour: Behaviour): void {
    this.context.logger.warn({ behaviour }, 'behaviour changed');
    this.current = behaviour;
  }

  /** Simulates the crash of `dieAfterFill` right after a fill was sent. */
  onFillSent(): void {
    if (!this.current.dieAfterFill) return;
    this.set({ ...NORMAL, mode: 'dead' });
    if (this.settings.exits) process.kill(process.pid, 'SIGKILL');
  }
}
