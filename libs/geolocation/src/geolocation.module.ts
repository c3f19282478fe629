import { ServiceContext } from '@bascule/process';
import { Module, type DynamicModule } from '@nestjs/common';
import type { GeolocationConfig, GeolocationNeeds } from './geolocation-config.js';
import { Geolocator } from './geolocator.js';
import { openGeolocator } from './open-geolocator.js';

/** Provides the {@link Geolocator}. */
@Module({})
export class GeolocationModule {
  static register(config: GeolocationConfig, needs: GeolocationNeeds): DynamicModule {
    return {
      module: GeolocationModule,
      global: true,
      providers: [
        {
          provide: Geolocator,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => openGeolocator(config, needs, context),
        },
      ],
      exports: [Geolocator],
    };
  }
}
