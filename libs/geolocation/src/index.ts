export { Geolocator } from './geolocator.js';
export { GeolocationModule } from './geolocation.module.js';
export { isCountry } from './places/countries.js';
export { geolocationEnv, type GeolocationConfig } from './geolocation-config.js';
