import { Public } from '@bascule/identity';
import { Body, Controller, Inject, Put, UseFilters, UseGuards } from '@nestjs/common';
import { ApiError } from '../api/api-error.js';
import { ApiErrorFilter } from '../api/api-error.filter.js';
import { ApiKeyGuard } from '../api/api-key.guard.js';
import { SOLVER_CONFIG } from '../solver.config.js';
import type { SolverConfig } from '../solver.config.js';
import { readBehaviour } from './behaviour.js';
import { SolverBehaviour } from './solver-behaviour.service.js';

/** Tells the solver to misbehave, where it allows that. */
@Public()
@UseGuards(ApiKeyGuard)
@UseFilters(ApiErrorFilter)
@Controller('v1/control')
export class ControlController {
  constructor(
    @Inject(SOLVER_CONFIG) private readonly config: SolverConfig,
    private readonly behaviour: SolverBehaviour,
  ) {}

  @Put()
  control(@Body() body: unknown) {
    if (!this.config.control) throw new ApiError('not_found', 'There is no such thing.');
    const behaviour = readBehaviour(body);
    if (typeof behaviour === 'string') throw new ApiError('invalid_request', behaviour);
    this.behaviour.tell(behaviour);
    const { mode, delayMs, dieAfterFill } = behaviour;
    return { mode, delay_ms: delayMs, die_after_fill: dieAfterFill };
  }
}
