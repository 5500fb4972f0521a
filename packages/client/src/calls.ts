/** One function per call of the chat API; what each takes, answers and where it is documented stands in protocol. */
import * as endpoints from '@engawa/protocol';
import type { AnswerOut, Endpoint, Parameters, ParametersIn } from '@engawa/protocol';
import type { CallOptions, Connection } from './connection.ts';

type Call<E extends Endpoint> = (
  connection: Connection,
  parameters: ParametersIn<E>,
  options?: CallOptions,
) => Promise<AnswerOut<E>>;

function calling<P extends Parameters, Answer extends Endpoint['answer']>(
  endpoint: Endpoint<P, Answer>,
): Call<Endpoint<P, Answer>> {
  return (connection, parameters, options) => connection.call(endpoint, parameters, options);
}

export const fetchApiKey = calling(endpoints.fetchApiKey);
export const getServerSettings = calling(endpoints.getServerSettings);

export const registerQueue = calling(endpoints.registerQueue);
export const getEvents = calling(endpoints.getEvents);
export const deleteQueue = calling(endpoints.deleteQueue);

export const getUsers = calling(endpoints.getUsers);
export const getOwnUser = calling(endpoints.getOwnUser);
export const getSubscriptions = calling(endpoints.getSubscriptions);

export const getMessages = calling(endpoints.getMessages);
export const sendMessage = calling(endpoints.sendMessage);
export const updateMessageFlags = calling(endpoints.updateMessageFlags);
