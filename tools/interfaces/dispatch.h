/* The type support handles of messages, services and actions that are linked into one module.
 *
 * The stock handles look their concrete type supports up with dlopen("lib<package>__*.so"). Here
 * all of them are in this one module, so that a handle finds them by name, in place.
 * Fast DDS needs both: fastrtps_c to (de)serialise, introspection_c to describe the type. */
#include <string.h>

#include "rosidl_runtime_c/action_type_support_struct.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/service_type_support_struct.h"
#include "rosidl_typesupport_c/identifier.h"
#include "rosidl_typesupport_interface/macros.h"

#define MESSAGE_HANDLE(typesupport, package, folder, name) \
  ROSIDL_TYPESUPPORT_INTERFACE__MESSAGE_SYMBOL_NAME(typesupport, package, folder, name)
#define SERVICE_HANDLE(typesupport, package, folder, name) \
  ROSIDL_TYPESUPPORT_INTERFACE__SERVICE_SYMBOL_NAME(typesupport, package, folder, name)
#define ACTION_HANDLE(typesupport, package, folder, name) \
  ROSIDL_TYPESUPPORT_INTERFACE__ACTION_SYMBOL_NAME(typesupport, package, folder, name)

/* One function that returns the concrete handle of an identifier, for either kind. */
#define FIND_CONCRETE(kind, HANDLE, package, folder, name) \
  const rosidl_##kind##_type_support_t * \
  HANDLE(rosidl_typesupport_fastrtps_c, package, folder, name)(void); \
  const rosidl_##kind##_type_support_t * \
  HANDLE(rosidl_typesupport_introspection_c, package, folder, name)(void); \
  static const rosidl_##kind##_type_support_t * folder##__##name##__concrete( \
    const rosidl_##kind##_type_support_t * self, const char * identifier) \
  { \
    if (strcmp(identifier, self->typesupport_identifier) == 0) {return self;} \
    if (strcmp(identifier, "rosidl_typesupport_fastrtps_c") == 0) { \
      return HANDLE(rosidl_typesupport_fastrtps_c, package, folder, name)(); \
    } \
    if (strcmp(identifier, "rosidl_typesupport_introspection_c") == 0) { \
      return HANDLE(rosidl_typesupport_introspection_c, package, folder, name)(); \
    } \
    return NULL; \
  }

#define DESCRIBE(handle, package, folder, name) \
  handle.get_type_hash_func = &package##__##folder##__##name##__get_type_hash; \
  handle.get_type_description_func = &package##__##folder##__##name##__get_type_description; \
  handle.get_type_description_sources_func = \
    &package##__##folder##__##name##__get_type_description_sources;

#define MESSAGE(package, folder, name) \
  FIND_CONCRETE(message, MESSAGE_HANDLE, package, folder, name) \
  const rosidl_message_type_support_t * \
  MESSAGE_HANDLE(rosidl_typesupport_c, package, folder, name)(void) \
  { \
    static rosidl_message_type_support_t handle; \
    handle.typesupport_identifier = rosidl_typesupport_c__typesupport_identifier; \
    handle.func = folder##__##name##__concrete; \
    DESCRIBE(handle, package, folder, name) \
    return &handle; \
  }

#define SERVICE(package, folder, name) \
  MESSAGE(package, folder, name##_Request) \
  MESSAGE(package, folder, name##_Response) \
  MESSAGE(package, folder, name##_Event) \
  FIND_CONCRETE(service, SERVICE_HANDLE, package, folder, name) \
  const rosidl_service_type_support_t * \
  SERVICE_HANDLE(rosidl_typesupport_c, package, folder, name)(void) \
  { \
    static rosidl_service_type_support_t handle; \
    handle.typesupport_identifier = rosidl_typesupport_c__typesupport_identifier; \
    handle.func = folder##__##name##__concrete; \
    handle.request_typesupport = \
      MESSAGE_HANDLE(rosidl_typesupport_c, package, folder, name##_Request)(); \
    handle.response_typesupport = \
      MESSAGE_HANDLE(rosidl_typesupport_c, package, folder, name##_Response)(); \
    handle.event_typesupport = \
      MESSAGE_HANDLE(rosidl_typesupport_c, package, folder, name##_Event)(); \
    handle.event_message_create_handle_function = \
      ROSIDL_TYPESUPPORT_INTERFACE__SERVICE_CREATE_EVENT_MESSAGE_SYMBOL_NAME( \
      rosidl_typesupport_c, package, folder, name); \
    handle.event_message_destroy_handle_function = \
      ROSIDL_TYPESUPPORT_INTERFACE__SERVICE_DESTROY_EVENT_MESSAGE_SYMBOL_NAME( \
      rosidl_typesupport_c, package, folder, name); \
    DESCRIBE(handle, package, folder, name) \
    return &handle; \
  }

/* Only in a file that includes action_msgs/msg/goal_status_array.h and srv/cancel_goal.h. */
#define ACTION(package, folder, name) \
  MESSAGE(package, folder, name##_Goal) \
  MESSAGE(package, folder, name##_Result) \
  MESSAGE(package, folder, name##_Feedback) \
  MESSAGE(package, folder, name##_FeedbackMessage) \
  SERVICE(package, folder, name##_SendGoal) \
  SERVICE(package, folder, name##_GetResult) \
  const rosidl_action_type_support_t * \
  ACTION_HANDLE(rosidl_typesupport_c, package, folder, name)(void) \
  { \
    static rosidl_action_type_support_t handle; \
    handle.goal_service_type_support = \
      SERVICE_HANDLE(rosidl_typesupport_c, package, folder, name##_SendGoal)(); \
    handle.result_service_type_support = \
      SERVICE_HANDLE(rosidl_typesupport_c, package, folder, name##_GetResult)(); \
    handle.cancel_service_type_support = \
      SERVICE_HANDLE(rosidl_typesupport_c, action_msgs, srv, CancelGoal)(); \
    handle.feedback_message_type_support = \
      MESSAGE_HANDLE(rosidl_typesupport_c, package, folder, name##_FeedbackMessage)(); \
    handle.status_message_type_support = \
      MESSAGE_HANDLE(rosidl_typesupport_c, action_msgs, msg, GoalStatusArray)(); \
    DESCRIBE(handle, package, folder, name) \
    return &handle; \
  }
