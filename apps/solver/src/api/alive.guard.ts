import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';

/** Closes every connection without an answer while a crash is simulated. */
@Injectable()
export class AliveGuard implements CanActivate {
  constructor(private readonly behaviour: SolverBehaviourService) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.behaviour.isDown) return true;
    context.switchToHttp().getResponse<FastifyReply>().raw.destroy();
    return false;
  }
}
