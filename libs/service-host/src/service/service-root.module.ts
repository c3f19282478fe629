import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { ServiceContext } from '@bascule/process';
import { ProjectionWaits } from '../projections/projection-waits.js';

/** Module of a service with the providers that every service has. */
@Module({})
export class ServiceRootModule {
  static of(context: ServiceContext, service: Type | DynamicModule): DynamicModule {
    return {
      module: ServiceRootModule,
      global: true,
      imports: [service],
      providers: [{ provide: ServiceContext, useValue: context }, ProjectionWaits],
      exports: [ServiceContext, ProjectionWaits],
    };
  }
}
