import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SOLVER_CONFIG } from '../solver.config.js';
import type { SolverConfig } from '../solver.config.js';
import { ApiError } from './api-error.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `Authorization: Bearer <SOLVER_API_KEY>`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(@Inject(SOLVER_CONFIG) private readonly config: SolverConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const given = headers.authorization ?? '';
    if (!timingSafeEqual(digest(given), digest(`Bearer ${this.config.apiKey}`))) {
      throw new ApiError('unauthorized', 'The API key is missing or wrong.');
    }
    return true;
  }
}
