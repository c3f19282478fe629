import type { LabAnswer } from '../server/lab-server.js';

export const refused = (statusCode: number, message: string): LabAnswer => ({
  status: statusCode,
  json: { error: { statusCode, name: 'Error', message } },
});
