import { SetMetadata, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Permission } from '@bascule/contracts';
import type { Caller, CallerKind } from './caller.js';

export const PUBLIC_ROUTE = 'bascule:public';
export const REQUIRED_PERMISSION = 'bascule:permission';
export const ALLOWED_KINDS = 'bascule:kinds';

/** Serves the route without an internal token. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/** 403 unless the caller's key set has the permission. */
export const RequirePermission = (permission: Permission) =>
  SetMetadata(REQUIRED_PERMISSION, permission);

/** Kinds of callers that a route accepts; by default API keys of both kinds. */
export const AllowCallers = (...kinds: CallerKind[]) => SetMetadata(ALLOWED_KINDS, kinds);

/** 403 for publishable keys. */
export const RequireSecretKey = () => AllowCallers('secret');

const callers = new WeakMap<FastifyRequest, Caller>();

export const rememberCaller = (request: FastifyRequest, caller: Caller): void => {
  callers.set(request, caller);
};

export const callerOfRequest = (request: FastifyRequest): Caller | undefined =>
  callers.get(request);

/** The caller that the guard let in. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    const caller = callerOfRequest(context.switchToHttp().getRequest<FastifyRequest>());
    if (caller === undefined) throw new Error('@CurrentCaller() on a @Public() route');
    return caller;
  },
);
