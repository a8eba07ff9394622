/* The type support handle of tf2_msgs/TFMessage.
 *
 * The stock handle looks its concrete type supports up with dlopen("libtf2_msgs__*.so"). Here all
 * of them are linked into this one module, so the handle finds them by name, in place.
 * Fast DDS needs both: fastrtps_c to (de)serialise, introspection_c to describe the type. */
#include <string.h>

#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_typesupport_c/identifier.h"
#include "rosidl_typesupport_interface/macros.h"
#include "tf2_msgs/msg/detail/tf_message__functions.h"

#define HANDLE(typesupport) \
  ROSIDL_TYPESUPPORT_INTERFACE__MESSAGE_SYMBOL_NAME(typesupport, tf2_msgs, msg, TFMessage)

const rosidl_message_type_support_t * HANDLE(rosidl_typesupport_fastrtps_c)(void);
const rosidl_message_type_support_t * HANDLE(rosidl_typesupport_introspection_c)(void);

static const rosidl_message_type_support_t * concrete(
  const rosidl_message_type_support_t * self, const char * identifier)
{
  if (strcmp(identifier, self->typesupport_identifier) == 0) {return self;}
  if (strcmp(identifier, "rosidl_typesupport_fastrtps_c") == 0) {
    return HANDLE(rosidl_typesupport_fastrtps_c)();
  }
  if (strcmp(identifier, "rosidl_typesupport_introspection_c") == 0) {
    return HANDLE(rosidl_typesupport_introspection_c)();
  }
  return NULL;
}

const rosidl_message_type_support_t * HANDLE(rosidl_typesupport_c)(void)
{
  static rosidl_message_type_support_t handle;
  handle.typesupport_identifier = rosidl_typesupport_c__typesupport_identifier;
  handle.func = concrete;
  handle.get_type_hash_func = &tf2_msgs__msg__TFMessage__get_type_hash;
  handle.get_type_description_func = &tf2_msgs__msg__TFMessage__get_type_description;
  handle.get_type_description_sources_func =
    &tf2_msgs__msg__TFMessage__get_type_description_sources;
  return &handle;
}
