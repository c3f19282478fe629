import { BearerKeyGuard } from '@bascule/party-api';
import { Inject, Injectable } from '@nestjs/common';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';

/** Requires `SOLVER_API_KEY`. */
@Injectable()
export class ApiKeyGuard extends BearerKeyGuard {
  constructor(@Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings) {
    super();
  }

  protected override expectedKey(): string {
    return this.settings.apiKey;
  }
}
