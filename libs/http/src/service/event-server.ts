import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Events reach handlers only when the service has a server for them. */
export function attachEventServer(_app: NestFastifyApplication): void {}
