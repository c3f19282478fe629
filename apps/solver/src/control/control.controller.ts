import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import { Body, Controller, Inject, Put, UseFilters, UseGuards } from '@nestjs/common';
import { ApiError } from '../api/api-error.js';
import { ApiKeyGuard } from '../api/api-key.guard.js';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { parseBehaviour } from '../behaviour/behaviour.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';

/** Sets the behaviour for tests; enabled by `SOLVER_CONTROL`. */
@Public()
@UseGuards(ApiKeyGuard)
@UseFilters(PartyApiErrorFilter)
@Controller('v1/control')
export class ControlController {
  constructor(
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
    private readonly behaviour: SolverBehaviourService,
  ) {}

  @Put()
  control(@Body() body: unknown) {
    if (!this.settings.control) throw new ApiError('not_found', 'Not found.');
    const behaviour = parseBehaviour(body);
    if (typeof behaviour === 'string') throw new ApiError('invalid_request', behaviour);
    this.behaviour.set(behaviour);
    const { mode, delayMs, dieAfterFill } = behaviour;
    return { mode, delay_ms: delayMs, die_after_fill: dieAfterFill };
  }
}
