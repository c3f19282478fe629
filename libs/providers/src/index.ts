export * from './onramp-provider.js';
export * from './provider-error.js';
export * from './providers-config.js';
