export { BearerKeyGuard } from './bearer-key.guard.js';
export { PartyApiError } from './party-api-error.js';
export { PartyApiErrorFilter } from './party-api-error.filter.js';
