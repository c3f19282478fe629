import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { ServiceContext } from '@bascule/process';
import { ProjectionWaits } from '../projections/projection-waits.js';

/** The service's module plus what every service finds in its container. */
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
