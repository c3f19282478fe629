import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { NestMicroservice } from '@nestjs/microservices';
import { EventErrorFilter } from './event-error.filter.js';
import { EventServer } from './event-server.js';

/** Connects the event server of an application that has one; call it before `startAllMicroservices`. */
export function attachEventServer(app: INestApplication): boolean {
  const strategy = findEventServer(app);
  if (strategy === null) return false;
  // Nest binds the handlers while connecting, so a filter that is added afterwards would be too late.
  const microservice = app.connectMicroservice({ strategy }, { deferInitialization: true });
  microservice.useGlobalFilters(new EventErrorFilter());
  if (!(microservice instanceof NestMicroservice)) throw new Error('expected a Nest microservice');
  microservice.registerListeners();
  microservice.setIsInitialized(true);
  microservice.setIsInitHookCalled(true);
  return true;
}

// Nest logs an error when a missing provider is requested.
function findEventServer(app: INestApplication): EventServer | null {
  for (const module of app.get(ModulesContainer).values()) {
    const instance: unknown = module.providers.get(EventServer)?.instance;
    if (instance instanceof EventServer) return instance;
  }
  return null;
}
