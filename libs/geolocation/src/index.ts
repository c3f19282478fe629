export { Geolocator } from './geolocator.js';
export { GeolocationModule } from './geolocation.module.js';
export { isCountry, isPlace } from './places/countries.js';
export { geolocationEnv, type GeolocationConfig } from './geolocation-config.js';
