# The same dry run, with the Ruby client of openapi-generator.

require "json"
require "course_progress"
include CourseProgress

def record(name, external_user_id)
  MigrationRecord.new(
    external_record_id: name,
    user: RecordUser.new(external_user_id: external_user_id),
    content: RecordContent.new(type: "course", platform_course_id: 9007199254740991),
    progress: RecordProgress.new(classes: [RecordClass.new(platform_class_id: 9007199254740990)])
  )
end

request = ImportRequest.new(dry_run: true, records: [record("a", 9101), record("b", "9101")])
puts JSON.generate(request.to_hash)
