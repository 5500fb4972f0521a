import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { userGroup } from '../entities.ts';
import { maxPrincipals, maxUserSubgroups } from '../limits.ts';

const userIds = z.array(z.int()).check(z.maxLength(maxPrincipals));
const groupIds = z.array(z.int()).check(z.maxLength(maxUserSubgroups));
/** Whether members of subgroups do not count. */
const direct_member_only = json(z._default(z.boolean(), false));

/** https://zulip.com/api/get-user-groups */
export const getUserGroups = endpoint('GET', '/user_groups', {
  parameters: { include_deactivated_groups: json(z._default(z.boolean(), false)) },
  answer: z.object({ user_groups: z.array(userGroup) }),
});

/** https://zulip.com/api/create-user-group */
export const createUserGroup = endpoint('POST', '/user_groups/create', {
  parameters: {
    name: text(z.string()),
    description: text(z.string()),
    members: json(userIds),
    subgroups: json(z._default(groupIds, [])),
  },
  answer: z.object({ group_id: z.optional(z.int()) }),
});

/** https://zulip.com/api/update-user-group */
export const updateUserGroup = endpoint('PATCH', '/user_groups/{user_group_id}', {
  parameters: { name: text(z.optional(z.string())), description: text(z.optional(z.string())) },
});

/** https://zulip.com/api/remove-user-group, until Zulip 10.0. Our server deactivates the group. */
export const removeUserGroup = endpoint('DELETE', '/user_groups/{user_group_id}');

/** https://zulip.com/api/deactivate-user-group */
export const deactivateUserGroup = endpoint('POST', '/user_groups/{user_group_id}/deactivate');

/** https://zulip.com/api/get-user-group-members */
export const getUserGroupMembers = endpoint('GET', '/user_groups/{user_group_id}/members', {
  parameters: { direct_member_only },
  answer: z.object({ members: z.array(z.int()) }),
});

/** https://zulip.com/api/update-user-group-members */
export const updateUserGroupMembers = endpoint('POST', '/user_groups/{user_group_id}/members', {
  parameters: {
    add: json(z._default(userIds, [])),
    delete: json(z._default(userIds, [])),
    add_subgroups: json(z._default(groupIds, [])),
    delete_subgroups: json(z._default(groupIds, [])),
  },
});

/** https://zulip.com/api/get-is-user-group-member */
export const getIsUserGroupMember = endpoint('GET', '/user_groups/{user_group_id}/members/{user_id}', {
  parameters: { direct_member_only },
  answer: z.object({ is_user_group_member: z.boolean() }),
});

/** https://zulip.com/api/get-user-group-subgroups */
export const getUserGroupSubgroups = endpoint('GET', '/user_groups/{user_group_id}/subgroups', {
  parameters: { direct_subgroup_only: json(z._default(z.boolean(), false)) },
  answer: z.object({ subgroups: z.array(z.int()) }),
});

/** https://zulip.com/api/update-user-group-subgroups */
export const updateUserGroupSubgroups = endpoint('POST', '/user_groups/{user_group_id}/subgroups', {
  parameters: { add: json(z._default(groupIds, [])), delete: json(z._default(groupIds, [])) },
});
