import { ServiceContext } from '@bascule/process';
import { Module, type DynamicModule } from '@nestjs/common';
import type { GeolocationConfig } from './geolocation-config.js';
import { Geolocator } from './geolocator.js';
import { openGeolocator } from './open-geolocator.js';

/** Provides the {@link Geolocator}. Without a database that can be read, nothing can be located; all else goes on. */
@Module({})
export class GeolocationModule {
  static register(config: GeolocationConfig): DynamicModule {
    return {
      module: GeolocationModule,
      global: true,
      providers: [
        {
          provide: Geolocator,
          inject: [ServiceContext],
          useFactory: (context: ServiceContext) => openGeolocator(config, context),
        },
      ],
      exports: [Geolocator],
    };
  }
}
